import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';

export type PageElement = DefaultTreeAdapterTypes.Element;
export type PageNode = DefaultTreeAdapterTypes.ChildNode;

/** Elements of a page, those that the parser adds included, and how deep they may nest. */
const MOST_ELEMENTS = 100_000;
const DEEPEST = 400;

/** A parsed page. */
export interface PageTree {
  readonly nodes: readonly PageNode[];
  readonly elements: number;
}

/** Parses a page as browsers do. Throws `Error` as soon as it has too many elements or nests too deep. */
export function parsePage(html: string): PageTree {
  let elements = 0;
  let depth = 0;
  const document = parse(html, {
    scriptingEnabled: false,
    treeAdapter: {
      ...defaultTreeAdapter,
      createElement: (name, namespace, attributes) => {
        elements += 1;
        if (elements > MOST_ELEMENTS) throw new Error(`the page has more than ${MOST_ELEMENTS} elements`);
        return defaultTreeAdapter.createElement(name, namespace, attributes);
      },
      onItemPush: () => {
        depth += 1;
        if (depth > DEEPEST) throw new Error('the page is nested too deep');
      },
      onItemPop: () => {
        depth -= 1;
      },
    },
  });
  return { nodes: document.childNodes, elements };
}

/** The first element of a name, in the order of the text. */
export function findElement(nodes: readonly PageNode[], name: string): PageElement | undefined {
  for (const node of nodes) {
    if (!('tagName' in node)) continue;
    const found = node.tagName === name ? node : findElement(node.childNodes, name);
    if (found) return found;
  }
  return undefined;
}

/** What an attribute of an element holds; null when it has none of that name. */
export function attributeOf(element: PageElement, name: string): string | null {
  return element.attrs.find((attribute) => attribute.name === name)?.value ?? null;
}
