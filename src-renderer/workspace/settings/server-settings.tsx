import { Button, Loader, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { studio } from '#renderer/api/studio.ts';
import type { ServerStatus } from '#shared/contract/servers.ts';
import { Outcome } from './outcome.tsx';
import { serversChanged } from './servers-store.ts';
import styles from './settings.module.css';
import { texts } from './texts.ts';
import { type Action, useAction } from './use-action.ts';

/** Servers whose runs are listed beside those of the folder. Tokens are never shown. */
export function ServerSettings() {
  const [servers, setServers] = useState<readonly ServerStatus[] | null>(null);
  const action = useAction();
  useEffect(() => {
    studio.servers.list().then(setServers, () => setServers([]));
  }, []);
  const change = (call: () => Promise<unknown>, done: string) =>
    action.run(async () => {
      await call();
      serversChanged();
      setServers(await studio.servers.list());
      return done;
    });
  return (
    <div className={styles.first}>
      <p className={styles.note}>{texts.servers.about}</p>
      {servers === null && <Loader size="xs" aria-label={texts.servers.asking} />}
      {servers !== null && servers.length > 0 && (
        <ul className={styles.list} aria-label={texts.servers.list}>
          {servers.map((server) => (
            <ServerRow
              key={server.name}
              server={server}
              onRemove={(name) => change(() => studio.servers.remove({ name }), texts.servers.removed(name))}
            />
          ))}
        </ul>
      )}
      <ServerForm action={action} onServer={(server) => change(() => studio.servers.add(server), texts.servers.added(server.name))} />
      <Outcome action={action} />
    </div>
  );
}

function ServerRow({ server: { name, url, problem, scopes }, onRemove }: { server: ServerStatus; onRemove: (name: string) => void }) {
  return (
    <li className={styles.row}>
      <span className={styles.grow}>
        <span className={styles.name}>{name}</span> <code className={styles.address}>{url}</code>
        <span className={`${styles.state} ${problem ? styles.bad : ''}`}>{problem || texts.servers.may(scopes)}</span>
      </span>
      <Button size="compact-xs" variant="default" aria-label={texts.removeOf(name)} onClick={() => onRemove(name)}>
        {texts.remove}
      </Button>
    </li>
  );
}

interface NewServer {
  readonly name: string;
  readonly url: string;
  readonly token: string;
}

/** A form for a server. Only the field holds the token, and is cleared once it is sent. */
function ServerForm({ action, onServer }: { action: Action; onServer: (server: NewServer) => void }) {
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const token = field.current?.value.trim() ?? '';
    if (token === '' || !field.current) return;
    field.current.value = '';
    onServer({ name: name.trim(), url: url.trim(), token });
  };
  return (
    <form className={styles.fields} onSubmit={submit} autoComplete="off">
      <TextInput
        label={texts.servers.name}
        placeholder="prod"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
      />
      <TextInput
        label={texts.servers.address}
        placeholder="https://runs.example.com"
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        required
      />
      <PasswordInput
        ref={field}
        className={styles.grow ?? ''}
        size="xs"
        label={texts.servers.token}
        autoComplete="off"
        required
        visibilityToggleButtonProps={{ 'aria-label': texts.showTyped, tabIndex: 0 }}
      />
      <Button type="submit" loading={action.busy}>
        {texts.servers.add}
      </Button>
    </form>
  );
}
