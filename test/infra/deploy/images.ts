/** Whether an image's tag is a version: `latest`, none, and a major version alone move on. */
export const isFixed = (image: string): boolean => /:v?\d+(\.\d+)+(-[a-z0-9.]+)*$/.test(image)
