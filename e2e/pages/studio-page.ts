import { expect, type Locator } from '@playwright/test';
import { EditorPage } from './editor-page.ts';

/** The studio's window as a person uses it who draws and runs flows. */
export class StudioPage extends EditorPage {
  get nodes(): Locator {
    return this.page.locator('.react-flow__node');
  }

  get transitions(): Locator {
    return this.page.getByRole('listbox', { name: 'Transitions' }).getByRole('option');
  }

  get states(): Locator {
    return this.page.getByRole('group', { name: 'State map' });
  }

  get problems(): Locator {
    return this.page.getByRole('list', { name: 'Problems' }).getByRole('button');
  }

  get nothingWaits(): Locator {
    return this.page.getByText('Nothing needs you');
  }

  get notices(): Locator {
    return this.page.locator('.mantine-Notification-root');
  }

  /** How the run shown stands: `paused`, `waiting`, `done`, `failed`, `stopped`. */
  get runStatus(): Locator {
    return this.page.getByRole('button', { name: /run \w+/ }).locator('[data-status]');
  }

  /** A node's card, by the title that stands on it. */
  card(title: string): Locator {
    return this.page.locator('.react-flow__node [data-kind]').filter({ has: this.page.getByTitle(title, { exact: true }) });
  }

  /** The token of a state that waits, on its wire. */
  token(state: string): Locator {
    return this.page.getByTitle(new RegExp(`^${state} waits`));
  }

  command(name: string): Locator {
    return this.page.getByRole('toolbar', { name: 'Run' }).getByRole('button', { name: new RegExp(`^${name}\\b(?! with)`) });
  }

  tab(name: string): Locator {
    return this.page.getByRole('tab', { name: new RegExp(`^${name}`) });
  }

  /** Waits until the flow is open with this many nodes, and some of them are drawn: those in sight. */
  async drawn(count: number): Promise<void> {
    await this.counted(count);
    await expect(this.nodes.first()).toBeVisible();
  }

  /** Waits until the flow has this many nodes. */
  async counted(count: number): Promise<void> {
    await expect(this.status).toContainText(new RegExp(`(^|\\D)${count} nodes? ·`));
  }

  async trustFolder(): Promise<void> {
    await this.page.getByRole('button', { name: 'Trust this folder' }).click();
    await expect(this.page.getByText('Trusted folder')).toBeVisible();
  }

  /** Opens the run dialog, takes its input as it stands, and stays before the first transition. */
  async startPaused(): Promise<void> {
    await this.page.keyboard.press('F10');
    await this.page.getByRole('button', { name: 'Step from the start' }).click();
    await this.allowIfAsked();
    await expect(this.page.getByRole('listbox', { name: 'Transitions' })).toBeVisible();
  }

  /** Opens the run dialog, takes its input as it stands, and runs on. */
  async run(): Promise<void> {
    await this.page.keyboard.press('F5');
    await this.page.getByRole('dialog').getByRole('button', { name: /^Run/ }).click();
    await this.allowIfAsked();
  }

  /** The question before the first run of a flow that reaches outside. */
  get consent(): Locator {
    return this.page.getByRole('dialog', { name: /can do/ });
  }

  /** Allows the capabilities of the flow, if the studio asks. */
  async allowIfAsked(): Promise<void> {
    const starting = this.page.getByRole('dialog', { name: 'Start a run' });
    await expect(async () => expect((await this.consent.isVisible()) || !(await starting.isVisible())).toBe(true)).toPass();
    if (await this.consent.isVisible()) await this.consent.getByRole('button', { name: 'Allow and run' }).click();
  }

  /** Presses the key of a command of the debugger, once what was commanded before has ended: until then it is not taken. */
  async give(command: string, key: string): Promise<void> {
    await expect(this.command(command)).toHaveAttribute('aria-disabled', 'false');
    await this.page.keyboard.press(key);
  }

  /** Presses a key that steps, once the step before has ended, and waits for the row of this number in the timeline. */
  async step(key: 'F10' | 'F11', expected: number): Promise<void> {
    await this.give('Into', key);
    await expect(this.transitions.last()).toHaveText(new RegExp(`^${expected}\\D`));
  }

  /** Continues a paused run until it asks for an approval. A run that drives itself needs no further command. */
  async continueUntilAsked(proceed: () => Promise<void>): Promise<void> {
    const asks = this.page.getByRole('button', { name: 'Approve', exact: true });
    const next = this.command('Continue').and(this.page.locator('[aria-disabled="false"]:not([title])')).first();
    await expect(asks.or(next).first()).toBeVisible();
    if (!(await asks.isVisible())) await proceed();
    await expect(asks).toBeVisible();
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

  /** Replaces what stands in the code editor, which closes brackets by itself and passes over those that are typed. */
  async writeCode(code: string): Promise<void> {
    await this.page.locator('.monaco-editor').first().click();
    await this.page.keyboard.press('Control+a');
    // A bracket that is typed over a selection would stand around it.
    await this.page.keyboard.press('Delete');
    await this.page.keyboard.type(code);
  }
}
