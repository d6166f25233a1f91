import { MultiSelect, Select } from '@mantine/core';
import { useWorkspace } from '#renderer/workspace/folder/use-workspace.ts';
import type { DocumentPath } from '#shared/flow/edit/flow-edit.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { setField } from './edit-node.ts';
import styles from './inspector.module.css';
import { texts } from './texts.ts';

interface Use {
  readonly tool: string;
  readonly approve: 'always' | 'never' | null;
}

interface ToolUsesProps {
  readonly label: string;
  readonly path: DocumentPath;
  readonly value: Json | undefined;
  /** Whether all tools of a server can be chosen as one entry. */
  readonly wildcards?: boolean;
}

const policies = [
  { value: 'default', label: texts.toolUses.folderDefault },
  { value: 'always', label: texts.toolUses.always },
  { value: 'never', label: texts.toolUses.never },
];

/** The tools that a node can call, each with its approval policy. */
export function ToolUses({ label, path, value, wildcards = false }: ToolUsesProps) {
  const tools = useWorkspace((state) => state.tools);
  const whole = wildcards ? tools.flatMap(({ server }) => (server === null ? [] : [`mcp:${server}/*`])) : [];
  const uses = readUses(value);
  const names = uses.map((use) => use.tool);
  const write = (next: readonly Use[]) => setField(path, next.length === 0 ? undefined : next.map(writeUse), texts.toolUses.edit);
  return (
    <>
      <MultiSelect
        className={styles.code ?? ''}
        label={label}
        placeholder={names.length === 0 ? texts.toolUses.none : ''}
        data={[...new Set([...tools.map((tool) => tool.name), ...whole, ...names])]}
        value={names}
        searchable
        onChange={(chosen) => write(chosen.map((tool) => uses.find((use) => use.tool === tool) ?? { tool, approve: null }))}
      />
      {uses.map((use) => (
        <div key={use.tool} className={styles.use}>
          <code title={use.tool}>{use.tool}</code>
          <Select
            aria-label={texts.toolUses.approvalOf(use.tool)}
            data={policies}
            value={use.approve ?? 'default'}
            allowDeselect={false}
            onChange={(policy) => {
              const approve = policy === 'always' || policy === 'never' ? policy : null;
              write(uses.map((other) => (other.tool === use.tool ? { ...other, approve } : other)));
            }}
          />
        </div>
      ))}
    </>
  );
}

function readUses(value: Json | undefined): Use[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).flatMap((item): Use[] => {
    if (typeof item === 'string') return [{ tool: item, approve: null }];
    if (!isJsonObject(item) || typeof item.use !== 'string') return [];
    return [{ tool: item.use, approve: item.approve === 'always' || item.approve === 'never' ? item.approve : null }];
  });
}

function writeUse({ tool, approve }: Use): Json {
  return approve === null ? tool : { use: tool, approve };
}
