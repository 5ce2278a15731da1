/** The folder of this package. It is the parent of the folders of the sources, of the compiled modules and of the bundle. */
export const FOLDER = new URL("../", import.meta.url)
