const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"]

/** Formats a number of bytes: `1.5 GiB`. */
export const format = (bytes: number): string => {
  const power = bytes < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power] ?? ""}`
}
