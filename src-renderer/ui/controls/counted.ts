const number = new Intl.NumberFormat('en');

/** A number as it is shown: `12,345`. */
export function numberText(value: number): string {
  return number.format(value);
}

/** A count with its noun: `1 step`, `1,204 steps`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${numberText(count)} ${count === 1 ? one : many}`;
}
