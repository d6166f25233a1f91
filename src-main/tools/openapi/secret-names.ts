const prefix = 'PYFLOW_';

/** Names under which a token may be known: that of its variable and, for PyFlow's `PYFLOW_X`, also `X`. */
export function secretNames(variable: string): string[] {
  return variable.startsWith(prefix) ? [variable, variable.slice(prefix.length)] : [variable];
}
