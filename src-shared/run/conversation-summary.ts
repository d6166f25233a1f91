/** A conversation of the workspace, as lists show it. */
export interface ConversationSummary {
  /** `@workspace/KEY`; of a branch with `#RUN`. */
  readonly conversation: string;
  readonly key: string;
  /** Number of its entries; of a branch, of its own. */
  readonly entries: number;
  readonly tokens: number;
  /** Position of the last entry. */
  readonly head: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly held_by: { readonly run_id: string; readonly node: string; readonly since: number; readonly waits_for?: string } | null;
  /** Of a branch: the position at which it leaves the conversation, and the fork that writes it. */
  readonly branch: { readonly at: number; readonly run_id: string } | null;
}
