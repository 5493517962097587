const rupees = new Intl.NumberFormat('en-IN', {
  style: 'currency',
  currency: 'INR',
  maximumFractionDigits: 2,
  minimumFractionDigits: 0,
});

/** '₹18,000', Indian grouping. */
export function money(amount: number): string {
  return rupees.format(amount);
}

/** '₹18,000 per day'. */
export function perDay(amount: number): string {
  return `${money(amount)} per day`;
}

/** '26 to 34'; one number if both are the same or one is unknown; '' if both are unknown. */
export function range(low: number | null | undefined, high: number | null | undefined): string {
  if (low == null && high == null) return '';
  if (low == null || high == null || low === high) return String(low ?? high);
  return `${low} to ${high}`;
}

const UNITS = ['B', 'KB', 'MB', 'GB'] as const;

/** '1.46 MB': two decimals from one kilobyte up; a unit is 1,024 of the one before. */
export function fileSize(bytes: number): string {
  let step = 0;
  let value = bytes;
  while (value >= 1024 && step < UNITS.length - 1) {
    value /= 1024;
    step += 1;
  }
  return step === 0 ? `${value} B` : `${value.toFixed(2)} ${UNITS[step]}`;
}

/** The percentage as a whole number, rounded down: 100 only when the part is complete. */
export function percent(part: number, whole: number): number {
  if (whole <= 0) return 0;
  return Math.min(100, Math.max(0, Math.floor((part / whole) * 100)));
}
