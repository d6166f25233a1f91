import { expect, type Locator, type Page } from '@playwright/test';

/** The studio's window as a person uses it. */
export class StudioPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get nodes(): Locator {
    return this.page.locator('.react-flow__node');
  }

  get transitions(): Locator {
    return this.page.getByRole('listbox', { name: 'Transitions' }).getByRole('option');
  }

  get approval(): Locator {
    return this.page.getByRole('region', { name: 'write_file wants to change a file' });
  }

  get nothingWaits(): Locator {
    return this.page.getByText('Nothing waits for you');
  }

  get notices(): Locator {
    return this.page.locator('.mantine-Notification-root');
  }

  /** A node's card, by the title that stands on it. */
  card(title: string): Locator {
    return this.page.locator('.react-flow__node [data-kind]').filter({ has: this.page.getByTitle(title, { exact: true }) });
  }

  /** A node on the canvas, by its id. */
  node(id: string): Locator {
    return this.page.locator(`.react-flow__node[data-id="${id}"]`);
  }

  command(name: string): Locator {
    return this.page.getByRole('toolbar', { name: 'Run' }).getByRole('button', { name: new RegExp(`^${name}\\b`) });
  }

  tab(name: string): Locator {
    return this.page.getByRole('tab', { name: new RegExp(`^${name}`) });
  }

  /** Waits until the flow is drawn with this many nodes. */
  async drawn(count: number): Promise<void> {
    await expect(this.nodes).toHaveCount(count);
  }

  async trustFolder(): Promise<void> {
    await this.page.getByRole('button', { name: 'Trust this folder' }).click();
    await expect(this.page.getByText('Trusted folder')).toBeVisible();
  }

  /** Opens the run dialog, takes its input as it stands, and stays before the first transition. */
  async startPaused(): Promise<void> {
    await this.page.keyboard.press('F10');
    await this.page.getByRole('button', { name: 'Step from the start' }).click();
    await expect(this.page.getByRole('listbox', { name: 'Transitions' })).toBeVisible();
  }

  /** Opens the run dialog, takes its input as it stands, and runs on. */
  async run(): Promise<void> {
    await this.page.keyboard.press('F5');
    await this.page.getByRole('dialog').getByRole('button', { name: /^Run/ }).click();
  }

  /** One transition, and waits for its row in the timeline. */
  async stepInto(expected: number): Promise<void> {
    await this.page.keyboard.press('F11');
    await expect(this.transitions.last()).toHaveText(new RegExp(`^${expected}\\D`));
  }

  /** Selects what waits in the inbox and waits for its card. */
  async openWaiting(heading: string): Promise<void> {
    await this.page.getByRole('button', { name: /^Inbox: [1-9]/ }).click();
    await this.page.getByText(heading).first().click();
    await expect(this.page.getByRole('heading', { name: heading })).toBeVisible();
  }

  /** Presses a button that decides, once it takes decisions. */
  async decide(name: string): Promise<void> {
    const button = this.page.getByRole('button', { name, exact: true });
    await expect(button).toHaveAttribute('data-ready', 'true');
    await button.click();
  }
}
