import { t } from '@vscode/l10n';
import { formatDayNumber } from '../util/dates.ts';
import { type DrawingContext, plainRow, type Row } from './row.ts';

/** Draws the row above a day's events, so that the rows below it need only the time. */
export function dayRow(day: number | undefined, drawing: DrawingContext): Row {
  const label = (day === undefined ? undefined : formatDayNumber(day, drawing)) ?? t('Unknown date');
  return plainRow('day', label, { collapsible: 'expanded' });
}
