/** Maximum characters of a page. */
export const mostHtml = 3 * 1024 * 1024;
/** Maximum number of tags of a page. */
const mostTags = 200_000;
/** Maximum number of attributes of a tag: parsers compare each with all previous ones. */
const mostAttributes = 1000;

/** Elements whose content is raw text up to their end tag. */
const textElement = /(?:script|style|textarea|title|xmp)(?=[\s/>])/iy;

/**
 * Scans a page once before it is parsed. Throws `Error` for input whose parsing costs far more than its length suggests: too many characters,
 * tags, or attributes of a tag.
 */
export function checkPageBounds(html: string): void {
  if (html.length > mostHtml) throw new Error(`the page is larger than ${mostHtml / 1024 / 1024} MiB`);
  let tags = 0;
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
    if (html.startsWith('!--', at + 1)) {
      at = endOf(html, '-->', at + 4);
      continue;
    }
    at += 1;
    if (!isLetter(html.charCodeAt(html[at] === '/' ? at + 1 : at))) continue;
    tags += 1;
    if (tags > mostTags) throw new Error(`the page has more than ${mostTags} tags`);
    textElement.lastIndex = at;
    const [element] = textElement.exec(html) ?? [];
    at = skipTag(html, at);
    if (element) at = endOfText(html, element, at);
  }
}

/** Returns the position after a tag; `from` is the position of its name. */
function skipTag(html: string, from: number): number {
  let attributes = 0;
  let inName = true;
  for (let at = from; at < html.length; at += 1) {
    const character = html[at] as string;
    if (character === '>') return at + 1;
    if (character === '=') {
      const value = skipBlanks(html, at + 1);
      const quote = html[value];
      if (quote === '"' || quote === "'") at = endOf(html, quote, value + 1) - 1;
      inName = quote !== '"' && quote !== "'";
    } else if (isBlank(character) || character === '/') inName = false;
    else if (!inName) {
      attributes += 1;
      if (attributes > mostAttributes) throw new Error(`a tag of the page has more than ${mostAttributes} attributes`);
      inName = true;
    }
  }
  return html.length;
}

function endOfText(html: string, element: string, from: number): number {
  const end = new RegExp(`</${element}`, 'gi');
  end.lastIndex = from;
  return end.exec(html)?.index ?? html.length;
}

function endOf(html: string, text: string, from: number): number {
  const at = html.indexOf(text, from);
  return at === -1 ? html.length : at + text.length;
}

function skipBlanks(html: string, from: number): number {
  let at = from;
  while (isBlank(html[at] ?? '')) at += 1;
  return at;
}

const isBlank = (character: string) =>
  character === ' ' || character === '\n' || character === '\t' || character === '\r' || character === '\f';
const isLetter = (code: number) => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
