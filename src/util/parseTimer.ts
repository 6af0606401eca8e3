/** Reads "90", "75:30", "1:02:03.5" as seconds; undefined if it is none of them. */
export function parseTimer(text: string): number | undefined {
  const found = /^(?:(?:(\d{1,3}):(?=[0-5]?\d:))?(\d{1,5}):)?(\d{1,6}(?:[.,]\d{1,3})?)$/.exec(text.trim());
  if (found === null) return undefined;
  const [, hours = '0', minutes = '0', seconds = ''] = found;
  const rest = Number(seconds.replace(',', '.'));
  if (found[2] !== undefined && rest >= 60) return undefined;
  return Number(hours) * 3600 + Number(minutes) * 60 + rest;
}
