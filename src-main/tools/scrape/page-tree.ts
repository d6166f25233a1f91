import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';

export type PageElement = DefaultTreeAdapterTypes.Element;
export type PageNode = DefaultTreeAdapterTypes.ChildNode;

/** Maximum number of elements of a page, including those that the parser adds, and maximum nesting depth. */
const mostElements = 100_000;
const deepestNesting = 400;

/** A parsed page. */
export interface PageTree {
  readonly nodes: readonly PageNode[];
  readonly elements: number;
}

/** Parses a page like a browser. Throws `Error` as soon as it has too many elements or is nested too deeply. */
export function parsePage(html: string): PageTree {
  let elements = 0;
  let depth = 0;
  const document = parse(html, {
    scriptingEnabled: false,
    treeAdapter: {
      ...defaultTreeAdapter,
      createElement: (name, namespace, attributes) => {
        elements += 1;
        if (elements > mostElements) throw new Error(`the page has more than ${mostElements} elements`);
        return defaultTreeAdapter.createElement(name, namespace, attributes);
      },
      onItemPush: () => {
        depth += 1;
        if (depth > deepestNesting) throw new Error('the page is nested too deeply');
      },
      onItemPop: () => {
        depth -= 1;
      },
    },
  });
  return { nodes: document.childNodes, elements };
}

/** Returns the first element with a name, in document order. */
export function findElement(nodes: readonly PageNode[], name: string): PageElement | undefined {
  for (const node of nodes) {
    if (!('tagName' in node)) continue;
    const found = node.tagName === name ? node : findElement(node.childNodes, name);
    if (found) return found;
  }
  return undefined;
}

/** Returns an element's attribute, or null if it is missing. */
export function attributeOf(element: PageElement, name: string): string | null {
  return element.attrs.find((attribute) => attribute.name === name)?.value ?? null;
}
