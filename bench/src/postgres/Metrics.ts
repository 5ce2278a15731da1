/** The value of the first metric with that name; `NaN` if there is none. */
export const metricOf = (metrics: string, name: string): number => {
  const line = metrics.split("\n").find((one) => one.startsWith(`${name} `) || one.startsWith(`${name}{`))
  return Number(line?.split(" ").at(1))
}
