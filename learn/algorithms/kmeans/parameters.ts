import type { Parameter } from '../../parameters.ts'

export const kernels = { LINEAR: 0, POLY: 1, RBF: 2, SIGMOID: 3 } as const

export const kmeansParameters: readonly Parameter[] = [
  {
    name: 'k',
    aliases: ['clusters', 'num_centers', 'n_clusters', 'num_clusters'],
    type: 'integer',
    default: 8,
    min: 1,
    max: 10_000,
    description: 'How many clusters',
  },
  {
    name: 'max_iter',
    type: 'integer',
    default: 300,
    min: 1,
    max: 100_000,
    description: 'Iterations at most, a restart',
  },
  {
    name: 'tol',
    aliases: ['eps', 'termination_criteria'],
    type: 'number',
    default: 1e-4,
    min: 0,
    description:
      "Ends when the centres' squared moves sum to at most tol times the mean variance of the attributes (kernel k-means: when no row moves)",
  },
  {
    name: 'restarts',
    aliases: ['n_init'],
    type: 'integer',
    default: 3,
    min: 1,
    max: 100,
    description: 'How often it begins anew with other first centres; the least inertia is kept',
  },
  { name: 'seed', type: 'integer', default: 1, description: 'The same seed gives the same clusters' },
  {
    name: 'kernel_type',
    aliases: ['kernel'],
    type: 'integer',
    default: 0,
    codes: kernels,
    oneOf: Object.values(kernels),
    description: 'Other than linear: kernel k-means',
  },
  { name: 'gamma', aliases: ['g'], type: 'number', min: 0, description: 'Of the kernel; without it 1 / attributes' },
  { name: 'coef0', aliases: ['r'], type: 'number', default: 0, description: 'Of the polynomial and sigmoid kernels' },
  {
    name: 'degree',
    aliases: ['d'],
    type: 'integer',
    default: 3,
    min: 1,
    max: 20,
    description: 'Of the polynomial kernel',
  },
  {
    name: 'landmarks',
    type: 'integer',
    default: 2000,
    min: 2,
    max: 5000,
    description:
      'Kernel k-means clusters at most so many rows, a seeded sample of the data, and assigns the others to these clusters',
  },
]
