/** One part of a path. */
const part = /\.\.|\.|\[[^\]]*\]|`[^`]*`|'[^']*'|"[^"]*"|[^.[\]`'"\s|&]+|\||&|\s+|./gs;

/**
 * A path of jsonpath-ng as one of RFC 9535: it may do without `$`, and unions of names need no quotes. What only jsonpath-ng has
 * (`` `parent` ``, `where`, `|`, `&`) is an error.
 */
export function rfcPath(expression: string): { readonly path: string } | { readonly error: string } {
  const trimmed = expression.trim();
  if (trimmed === '') return { error: 'the expression is empty' };
  let path = '';
  for (const [piece] of trimmed.matchAll(part)) {
    if (/^[`|&]/.test(piece) || /^\s+$/.test(piece)) return { error: `${JSON.stringify(piece)} is not supported here` };
    if (path === '' && piece !== '$') path = piece.startsWith('[') || piece.startsWith('.') ? '$' : '$.';
    if (piece.startsWith('[')) path = `${path.endsWith('..') ? path : path.replace(/\.$/, '')}${selector(piece.slice(1, -1))}`;
    else if (piece.includes(',')) path = `${path.endsWith('..') ? path : path.replace(/\.$/, '')}${selector(piece)}`;
    else if (/^['"]/.test(piece)) path = `${path.endsWith('..') ? path : path.replace(/\.$/, '')}[${piece}]`;
    else path += piece;
  }
  return { path };
}

function selector(inside: string): string {
  const names = inside.split(',').map((one) => one.trim());
  const plain = names.every((name) => /^[\p{L}_@][\w\p{L}@-]*$/u.test(name));
  return `[${plain ? names.map((name) => JSON.stringify(name)).join(',') : inside.trim()}]`;
}
