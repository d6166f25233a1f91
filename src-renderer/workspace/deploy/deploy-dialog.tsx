import { Button, Checkbox, Loader, Modal, Select, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import { isDirty } from '#renderer/document/editing/open-flow.ts';
import { useEditor } from '#renderer/document/flows/use-editor.ts';
import { saveFlow } from '#renderer/document/saving/saving.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { noticeDone } from '#renderer/shell/notices.ts';
import { FailureText } from '#renderer/ui/values/failure-text.tsx';
import { CapabilityList } from '#renderer/workspace/consent/capability-list.tsx';
import type { FlowDeployment } from '#shared/contract/servers.ts';
import { capabilityKey } from '#shared/flow/capabilities/capability.ts';
import { withoutFlowEnding } from '#shared/flow/flow-file.ts';
import type { TransferableError } from '#shared/run/error.ts';
import styles from './deploy-dialog.module.css';
import { deployStore } from './deploy-store.ts';
import { texts } from './texts.ts';
import { useTrial } from './use-trial.ts';

/** Deploys a flow on a server, after showing what that changes there. */
export function DeployDialog() {
  const path = useStore(deployStore, (state) => state.path);
  const onClose = () => deployStore.setState({ path: null });
  return (
    <Modal
      opened={path !== null}
      onClose={onClose}
      title={texts.title(path ?? '')}
      size="lg"
      closeButtonProps={{ 'aria-label': texts.close }}
      transitionProps={{ duration: 0 }}
    >
      {path !== null && <Deployment key={path} path={path} onClose={onClose} />}
    </Modal>
  );
}

/** Names of the servers whose token here may deploy; null while they are asked. */
function useServers(): readonly string[] | null {
  const [names, setNames] = useState<readonly string[] | null>(null);
  useEffect(() => {
    studio.servers.list().then(
      (servers) => setNames(servers.filter(({ scopes }) => scopes.includes('manage')).map(({ name }) => name)),
      () => setNames([]),
    );
  }, []);
  return names;
}

function Deployment({ path, onClose }: { path: string; onClose: () => void }) {
  const servers = useServers();
  if (servers === null) return <Loader size="xs" aria-label={texts.asking} />;
  if (servers.length > 0) return <DeployForm path={path} servers={servers} onClose={onClose} />;
  return (
    <div className={styles.body}>
      <p>{texts.noServers}</p>
      <div className={styles.buttons}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {texts.close}
        </Button>
      </div>
    </div>
  );
}

function DeployForm({ path, servers, onClose }: { path: string; servers: readonly string[]; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  // The dialog has taken the focus while the servers were asked.
  useEffect(() => field.current?.select(), []);
  const [server, setServer] = useState(servers[0] ?? null);
  const [typed, setTyped] = useState(nameOf(path));
  const [allowUnsound, setAllowUnsound] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<TransferableError | null>(null);
  const saved = useEditor((state) => state.flows[path]?.saved.parsed.text);
  const unsaved = useEditor((state) => {
    const flow = state.flows[path];
    return flow !== undefined && isDirty(flow);
  });
  const name = typed.trim();
  const trial = useTrial({ server, path, name, allowUnsound, saved });
  const failure = failed ?? (trial && 'failure' in trial ? trial.failure : null);
  const deployment = trial && 'deployment' in trial ? trial.deployment : null;
  const isUnsound = failure?.details !== undefined && 'soundness' in failure.details;

  const deploy = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || server === null || !deployment) return;
    setBusy(true);
    setFailed(null);
    try {
      const { version } = await studio.servers.deploy({ server, path, name, trial: false, allow_unsound: allowUnsound });
      const done = texts.done(name, version ?? 1, server);
      noticeDone(done);
      announce(done);
      onClose();
    } catch (thrown) {
      setFailed(failureOf(thrown));
      setBusy(false);
    }
  };

  return (
    <form className={styles.body} onSubmit={(event) => void deploy(event)} autoComplete="off">
      <p>{texts.about}</p>
      <div className={styles.fields}>
        <Select
          label={texts.server}
          data={[...servers]}
          value={server}
          onChange={setServer}
          allowDeselect={false}
          comboboxProps={{ withinPortal: true, zIndex: 400 }}
        />
        <TextInput
          label={texts.name}
          placeholder={texts.nameHint}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          required
          ref={field}
        />
      </div>
      {unsaved && (
        <p className={styles.unsaved}>
          {texts.unsaved}{' '}
          <Button size="compact-xs" variant="default" onClick={() => void saveFlow(path)}>
            {texts.save}
          </Button>
        </p>
      )}
      {!trial && name !== '' && <Loader size="xs" aria-label={texts.checking} />}
      {failure && <FailureText failure={failure} />}
      {(isUnsound || allowUnsound) && (
        <Checkbox label={texts.unsound} checked={allowUnsound} onChange={(event) => setAllowUnsound(event.currentTarget.checked)} />
      )}
      {deployment && server !== null && <WhatChanges deployment={deployment} server={server} />}
      <div className={styles.buttons}>
        <Button variant="default" onClick={onClose}>
          {texts.cancel}
        </Button>
        <Button type="submit" loading={busy} disabled={!deployment}>
          {texts.deploy}
        </Button>
      </div>
    </form>
  );
}

function WhatChanges({
  deployment: { name, hash, before, problems, capabilities },
  server,
}: {
  deployment: FlowDeployment;
  server: string;
}) {
  const known = new Set(before?.capabilities.map(capabilityKey));
  return (
    <>
      <p role="status">
        {before === null ? texts.first(name, server) : (before.hash === hash ? texts.same : texts.next)(name, before.version, server)}
      </p>
      {problems.length > 0 && (
        <details className={styles.problems}>
          <summary>{texts.problems(problems.length)}</summary>
          <ul>
            {problems.map(({ path, message }) => (
              <li key={`${path} ${message}`}>{message}</li>
            ))}
          </ul>
        </details>
      )}
      <p>{capabilities.length === 0 ? texts.reachNothing : texts.reach}</p>
      {capabilities.length > 0 && (
        <CapabilityList capabilities={capabilities} titles={null} isNew={(key) => before !== null && !known.has(key)} />
      )}
    </>
  );
}

/** The name of a flow's file without its ending, as far as it can be a flow's name on a server. */
function nameOf(path: string): string {
  const file = path.split('/').at(-1) ?? path;
  return withoutFlowEnding(file)
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[-_]+/, '')
    .slice(0, 64);
}
