import { pointerSegments } from '#shared/flow/parse-flow.ts';

/** The expression for a state of the flow that it waits in, or for a value in it: `states.Order.lines[0].price`. */
export function watchExpression(state: string, path: string): string {
  const own = state.split('::').at(-1) ?? state;
  return ['states', ...[own, ...pointerSegments(path)].map(member)].join('');
}

function member(key: string): string {
  if (/^(0|[1-9]\d*)$/.test(key)) return `[${key}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
