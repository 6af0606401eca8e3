/** Milliseconds that this process computed for while it ran: however busy the machine is with others. */
export function cpuTimeOf(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
