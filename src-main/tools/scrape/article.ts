import { createRequire } from 'node:module';
import { Readability } from '@mozilla/readability';
import { attributeOf, type PageElement, type PageNode, type PageTree } from './page-tree.ts';

/** The main content of a page. */
export interface Article {
  readonly title: string;
  readonly byline: string | null;
  readonly html: string;
}

/** Maximum number of elements to search for an article, because the search takes more than linear time. */
const mostElements = 40_000;

const load = createRequire(import.meta.url);

/** Returns the page's article, or null if it has none or is too large to search. */
export function readArticle({ nodes, elements }: PageTree): Article | null {
  if (elements > mostElements) return null;
  // Readability's own DOM, made for worker threads: it parses only well-formed text, runs no scripts and loads no resources.
  const DomParser = load('@mozilla/readability/JSDOMParser.js') as new () => {
    parse(html: string): Document & { readonly documentElement?: unknown };
  };
  const document = new DomParser().parse(nodes.map(wellFormed).join(''));
  if (!document.documentElement) return null;
  const article = new Readability(document).parse();
  return article?.content ? { title: article.title ?? '', byline: article.byline || null, html: article.content } : null;
}

const dropped = new Set('style noscript template svg math iframe object embed canvas button select'.split(' '));
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escapeMarkup = (text: string) => text.replace(/[&<>"]/g, (character) => escapes[character] as string);

function wellFormed(node: PageNode): string {
  if ('value' in node) return escapeMarkup(node.value);
  if (!('tagName' in node) || dropped.has(node.tagName)) return '';
  if (node.tagName === 'script' && attributeOf(node, 'type') !== 'application/ld+json') return '';
  const name = /^[a-z][a-z0-9-]*$/.test(node.tagName) ? node.tagName : 'span';
  return `<${name}${attributesOf(node)}>${node.childNodes.map(wellFormed).join('')}</${name}>`;
}

function attributesOf({ attrs }: PageElement): string {
  return attrs.map(({ name, value }) => (/^[a-z_][\w.-]*$/i.test(name) ? ` ${name}="${escapeMarkup(value)}"` : '')).join('');
}
