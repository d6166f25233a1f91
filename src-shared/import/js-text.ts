/** Code of a value at a path of `data`, undefined where there is none: `data.a?.b?.[0]`. */
export function valueAt(path: readonly string[]): string {
  return path.reduce((code, name, index) => {
    const optional = index === 0 ? '' : '?.';
    if (/^[A-Za-z_$][\w$]*$/.test(name)) return `${code}${optional || '.'}${name}`;
    return `${code}${optional}[${/^\d+$/.test(name) ? name : JSON.stringify(name)}]`;
  }, 'data');
}

/** Code of a text made of literal parts and values; what is not text becomes JSON, and nothing where a value is missing. */
export function joinedText(parts: readonly (string | readonly string[])[]): string {
  if (parts.every((part) => typeof part === 'string')) return JSON.stringify(parts.join(''));
  const items = parts.map((part) => (typeof part === 'string' ? JSON.stringify(part) : valueAt(part)));
  return `[${items.join(', ')}].map((part) => part === undefined || part === null ? '' : typeof part === 'string' ? part : JSON.stringify(part)).join('')`;
}
