/** The older engines that the tests run in; each has a folder with its packages here. */
export const CORES = ['2.0.0', '2.20.0'];
