/** Image types that the models of all providers support. */
export const imageTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Whether a text is non-empty base64. */
export function isBase64(data: string): boolean {
  return data !== '' && data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
}
