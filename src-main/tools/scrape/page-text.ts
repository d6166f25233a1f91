/** The readable part of a page. */
export interface PageText {
  readonly title: string;
  /** Who wrote it, where the page says so. */
  readonly byline: string | null;
  /** Paragraphs with an empty line between them, headings and lists as in Markdown, links as `[text](address)`. */
  readonly text: string;
}

/** Characters of a page that are looked at, and elements of it. */
const MOST_HTML = 3 * 1024 * 1024;
const MOST_ELEMENTS = 40_000;
const DEEPEST = 400;

/**
 * Takes what a reader would read out of a page, and leaves menus, advertising and scripts. Nothing of the page is run or loaded. Throws
 * `Error` for a page that is too large or too deep.
 */
export async function pageText(html: string, address: URL): Promise<PageText> {
  if (html.length > MOST_HTML) throw new Error(`the page is larger than ${MOST_HTML / 1024 / 1024} MiB`);
  const [{ parseHTML }, { Readability }] = await Promise.all([import('linkedom'), import('@mozilla/readability')]);
  const { document } = parseHTML(html.includes('<html') ? html : `<html><body>${html}</body></html>`);
  const title = document.querySelector('title')?.textContent?.trim() ?? '';
  const whole = writeText(document.body, address);
  const article = new Readability(document as unknown as Document, { maxElemsToParse: MOST_ELEMENTS }).parse();
  if (!article?.content) return { title, byline: null, text: whole };
  const { document: readable } = parseHTML(`<html><body>${article.content}</body></html>`);
  return { title: article.title || title, byline: article.byline || null, text: writeText(readable.body, address) };
}

const blocks = new Set(
  'address article aside blockquote dd div dl dt figcaption figure footer header hr main nav ol p section table tr ul'.split(' '),
);
const unread = new Set('script style noscript template head svg iframe object canvas button select'.split(' '));

interface PageNode {
  readonly nodeType: number;
  readonly localName?: string;
  readonly textContent: string | null;
  readonly childNodes: ArrayLike<PageNode>;
  getAttribute?(name: string): string | null;
}

function writeText(body: unknown, address: URL): string {
  const lines = write(body as PageNode, address, 0);
  return lines
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function write(node: PageNode, address: URL, depth: number): string {
  if (depth > DEEPEST) throw new Error('the page is nested too deep');
  if (node.nodeType === 3) return (node.textContent ?? '').replace(/\s+/g, ' ');
  if (node.nodeType !== 1 && node.nodeType !== 11) return '';
  const name = node.localName ?? '';
  if (unread.has(name) || node.getAttribute?.('hidden') != null) return '';
  const inside = Array.from(node.childNodes, (child) => write(child, address, depth + 1)).join('');
  if (/^h[1-6]$/.test(name)) return `\n\n${'#'.repeat(Number(name[1]))} ${inside.trim()}\n\n`;
  if (name === 'li') return `\n- ${inside.trim()}\n`;
  if (name === 'br') return '\n';
  if (name === 'td' || name === 'th') return `${inside.trim()} | `;
  if (name === 'pre') return `\n\n${node.textContent ?? ''}\n\n`;
  if (name === 'a') return link(inside, node.getAttribute?.('href') ?? null, address);
  return blocks.has(name) ? `\n\n${inside}\n\n` : inside;
}

function link(text: string, href: string | null, address: URL): string {
  const leads = href !== null && !href.startsWith('#') && text.trim() !== '' && URL.canParse(href, address.href);
  const url = leads ? new URL(href, address.href) : null;
  return url && /^https?:$/.test(url.protocol) ? `[${text.trim()}](${url.href})` : text;
}
