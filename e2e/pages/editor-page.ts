import type { Locator, Page } from '@playwright/test';

/** The editor as its user sees it. */
export class EditorPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** The card of the node that consumes this state. */
  node(id: string): Locator {
    return this.page.locator(`.react-flow__node[data-id="${id}"]`);
  }

  /** The handle at which a node's only (or first) output leaves. */
  output(id: string): Locator {
    return this.node(id).locator('.react-flow__handle.source').first();
  }

  /** The handle at which a node's first input enters. */
  input(id: string): Locator {
    return this.node(id).locator('.react-flow__handle.target').first();
  }

  /** Wires that carry this state. */
  wire(state: string): Locator {
    return this.page.locator(`.react-flow__edge[aria-label^="${state}, from"]`);
  }

  get status(): Locator {
    return this.page.getByRole('contentinfo');
  }

  /** The dot in the top bar. */
  get unsaved(): Locator {
    return this.page.getByRole('banner').getByLabel('Unsaved changes');
  }

  async drag(from: Locator, to: Locator): Promise<void> {
    const box = await to.boundingBox();
    if (!box) throw new Error('The target of the drag is not visible.');
    await this.dragTo(from, { x: box.x + box.width / 2, y: box.y + box.height / 2 });
  }

  /** Drags from the middle of `from` to a point of the window, as a hand would: not in one jump. */
  async dragTo(from: Locator, to: { readonly x: number; readonly y: number }): Promise<void> {
    const box = await from.boundingBox();
    if (!box) throw new Error('The start of the drag is not visible.');
    await this.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await this.page.mouse.down();
    await this.page.mouse.move(to.x + 20, to.y + 20, { steps: 6 });
    await this.page.mouse.move(to.x, to.y, { steps: 3 });
    await this.page.mouse.up();
  }
}
