import { formatNumber, isAmount, scale } from './format.ts';

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'];

/** "999 bytes", "1.5 MB"; in French "1,5 Mo". */
export function formatBytes(bytes: number | undefined, locale: string): string | undefined {
  if (!isAmount(bytes)) return undefined;
  const { scaled, step, maximumFractionDigits } = scale(bytes, BYTE_UNITS.length);
  const unit = BYTE_UNITS[step] ?? 'byte';
  // The short form of the first unit is "999 byte" in English.
  const unitDisplay = unit === 'byte' ? 'long' : 'short';
  return formatNumber(scaled, locale, { style: 'unit', unit, unitDisplay, maximumFractionDigits });
}
