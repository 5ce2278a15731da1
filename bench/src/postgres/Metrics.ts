/** The value of the first metric of that name in what a server tells; not a number where it does not exist. */
export const metricOf = (metrics: string, name: string): number => {
  const line = metrics.split("\n").find((one) => one.startsWith(`${name} `) || one.startsWith(`${name}{`))
  return Number(line?.split(" ").at(1))
}
