import { readArticle } from './article.ts';
import { attributeOf, findElement, type PageElement, type PageNode, parsePage } from './page-tree.ts';

/** The readable part of a page. */
export interface PageText {
  readonly title: string;
  /** The author, if the page names one. */
  readonly byline: string | null;
  /** Markdown: paragraphs, headings, lists, and links as `[text](address)`. */
  readonly text: string;
}

/**
 * Extracts the readable text of a page without menus, advertising and scripts. Runs and loads nothing. Throws `Error` if the page is too
 * large or nested too deeply. A hostile page may still take long: call it through `readPage`.
 */
export function pageText(html: string, address: URL): PageText {
  const page = parsePage(html);
  const title = findElement(page.nodes, 'title');
  const heading = title ? textOf(title).trim() : '';
  const article = readArticle(page);
  if (!article) return { title: heading, byline: null, text: writeText(page.nodes, address) };
  return { title: article.title || heading, byline: article.byline, text: writeText(parsePage(article.html).nodes, address) };
}

const blocks = new Set(
  'address article aside blockquote dd div dl dt figcaption figure footer header hr main nav ol p section table tr ul'.split(' '),
);
const unread = new Set('script style noscript template head svg iframe object canvas button select'.split(' '));

function writeText(nodes: readonly PageNode[], address: URL): string {
  const lines = nodes.map((node) => write(node, address)).join('');
  return lines
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function write(node: PageNode, address: URL): string {
  if ('value' in node) return node.value.replace(/\s+/g, ' ');
  if (!('tagName' in node) || unread.has(node.tagName) || attributeOf(node, 'hidden') !== null) return '';
  const name = node.tagName;
  const inside = node.childNodes.map((child) => write(child, address)).join('');
  if (/^h[1-6]$/.test(name)) return `\n\n${'#'.repeat(Number(name[1]))} ${inside.trim()}\n\n`;
  if (name === 'li') return `\n- ${inside.trim()}\n`;
  if (name === 'br') return '\n';
  if (name === 'td' || name === 'th') return `${inside.trim()} | `;
  if (name === 'pre') return `\n\n${textOf(node)}\n\n`;
  if (name === 'a') return link(inside, attributeOf(node, 'href'), address);
  return blocks.has(name) ? `\n\n${inside}\n\n` : inside;
}

function textOf(element: PageElement): string {
  return element.childNodes.map((child) => ('value' in child ? child.value : 'tagName' in child ? textOf(child) : '')).join('');
}

function link(text: string, href: string | null, address: URL): string {
  const leads = href !== null && !href.startsWith('#') && text.trim() !== '' && URL.canParse(href, address.href);
  const url = leads ? new URL(href, address.href) : null;
  return url && /^https?:$/.test(url.protocol) ? `[${text.trim()}](${url.href})` : text;
}
