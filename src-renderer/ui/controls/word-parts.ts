/** Before a capital that begins a word (`readFile`, `HTTPServer`), and after a sign that joins words (`read_file`). */
const borders = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=[_\-./:])(?=[^\s_\-./:])/u;

/** The parts of a text between which a line may break: those of identifiers, too, which have no spaces. */
export function wordParts(text: string): readonly string[] {
  return text.split(borders);
}
