import { schemaNamePattern } from '#shared/flow/schema-name.ts';

/** Gives out names of states, each once. */
export class StateNames {
  readonly #taken = new Set<string>();

  /** A free name as close to `wanted` as possible: letters outside ASCII become a number at the end. */
  take(wanted: string): string {
    const ascii = schemaNamePattern.test(wanted);
    const stem = ascii ? wanted : `${/^[A-Za-z_]/.test(wanted) ? '' : '_'}${wanted.replace(/[^A-Za-z0-9_]/g, '_')}`;
    let name = ascii ? stem : `${stem}_1`;
    for (let number = 2; this.#taken.has(name); number += 1) name = `${stem}_${number}`;
    this.#taken.add(name);
    return name;
  }

  /** A free name for something that is no agent: `wanted`, or with as many `_` after it as it takes. */
  takeHelper(wanted: string): string {
    let name = wanted;
    while (this.#taken.has(name)) name += '_';
    this.#taken.add(name);
    return name;
  }
}
