/** A sentence whose odd parts, such as state names, are shown as code. */
export function WithCode({ parts }: { readonly parts: readonly string[] }) {
  return parts.map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part));
}
