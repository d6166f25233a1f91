/** Whether content of a media type is stored as text; anything else is base64. */
export function isText(mediaType: string): boolean {
  return mediaType.startsWith('text/') || /^application\/(json|xml|yaml|javascript|[a-z0-9.-]+\+(json|xml))$/.test(mediaType);
}
