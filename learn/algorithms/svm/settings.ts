export const svmType = { cSvc: 0, nuSvc: 1, oneClass: 2, epsilonSvr: 3, nuSvr: 4 } as const
export type SvmType = (typeof svmType)[keyof typeof svmType]

export const kernelType = { linear: 0, poly: 1, rbf: 2, sigmoid: 3 } as const
export type KernelType = (typeof kernelType)[keyof typeof kernelType]

export type KernelSettings = {
  readonly kernel: KernelType
  readonly degree: number
  readonly gamma: number
  readonly coef0: number
}

export type SvmSettings = KernelSettings & {
  readonly type: SvmType
  readonly cost: number
  readonly nu: number
  /** Half width of the tube in which epsilon-SVR counts no error. */
  readonly tube: number
  readonly cacheMegabytes: number
  readonly tolerance: number
  readonly shrinking: boolean
  readonly probability: boolean
  /** Factors on `cost` of single classes. */
  readonly weights: readonly { readonly label: number | string; readonly weight: number }[]
  readonly seed: number
}

/** C_SVC and NU_SVC: the target is classes. */
export function classifies({ type }: { readonly type: SvmType }): boolean {
  return type === svmType.cSvc || type === svmType.nuSvc
}
