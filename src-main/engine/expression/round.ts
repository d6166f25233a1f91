/** More digits than this and `toFixed` shows the exact value of any number that lies halfway between two shorter ones. */
const exactDigits = 100;

/**
 * Rounds as Python's `round` does: the nearest number with this many decimal digits (negative: tens, hundreds, …), judged by the exact
 * value of the number, and the even one of two that are equally near.
 */
export function roundHalfEven(value: number, digits: number): number {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e21) return value;
  if (digits < 0) {
    const unit = 10 ** -digits;
    return Number.isFinite(unit) ? nearestEven(value / unit) * unit : 0;
  }
  if (digits === 0) return nearestEven(value);
  if (digits >= exactDigits) return value;
  const exact = Math.abs(value).toFixed(exactDigits);
  const cut = exact.indexOf('.') + 1 + digits;
  const halfway = exact[cut] === '5' && /^0*$/.test(exact.slice(cut + 1));
  const kept = exact.slice(0, cut);
  const magnitude = halfway && Number(kept.at(-1)) % 2 === 0 ? Number(kept) : Number(Math.abs(value).toFixed(digits));
  return value < 0 ? -magnitude : magnitude;
}

function nearestEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return rest < 0.5 ? floor : floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}
