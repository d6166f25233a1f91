import { Button, Group, Modal, TextInput } from '@mantine/core';
import { IconArrowUp, IconFolder } from '@tabler/icons-react';
import { type FormEvent, useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import rows from '#renderer/ui/controls/list-row.module.css';
import styles from './folder-picker.module.css';
import { folderPickerStore } from './folder-picker-store.ts';
import { texts } from './texts.ts';

interface Listing {
  readonly folder: string;
  readonly parent: string | null;
  readonly folders: readonly string[];
}

/** The studio's own folder dialog, for a host without one: type a path, or navigate to it. */
export function FolderPicker() {
  const question = useStore(folderPickerStore, (state) => state.question);
  return (
    <Modal opened={question !== null} onClose={() => question?.answer(null)} title={question?.title ?? ''} size="lg">
      {question && <FolderList onAnswer={question.answer} />}
    </Modal>
  );
}

function FolderList({ onAnswer }: { onAnswer: (folder: string | null) => void }) {
  const [listing, setListing] = useState<Listing | null>(null);
  const [recent, setRecent] = useState<readonly { folder: string; name: string }[]>([]);
  const [path, setPath] = useState('');
  const [error, setError] = useState<string | null>(null);

  const visit = useCallback(async (folder?: string) => {
    try {
      const next = await studio.workspace.listFolders(folder === undefined ? {} : { folder });
      setListing(next);
      // The first listing may arrive after the user has begun to type.
      setPath((typed) => (folder === undefined && typed !== '' ? typed : next.folder));
      setError(null);
    } catch (thrown) {
      setError(failureOf(thrown).message);
    }
  }, []);

  useEffect(() => {
    void visit();
    studio.workspace.recent().then(setRecent, () => setRecent([]));
  }, [visit]);

  async function onSubmit(event: FormEvent) {
    event.preventDefault();
    if (path.trim() !== listing?.folder) await visit(path.trim());
    else onAnswer(listing.folder);
  }

  return (
    <form onSubmit={(event) => void onSubmit(event)}>
      <TextInput
        label={texts.open.folder}
        value={path}
        onChange={(event) => setPath(event.currentTarget.value)}
        error={error}
        data-autofocus
        styles={{ input: { fontFamily: 'var(--font-code)' } }}
      />
      {recent.length > 0 && (
        <ul className={styles.recent} aria-label={texts.open.recent}>
          {recent.slice(0, 5).map((entry) => (
            <li key={entry.folder}>
              <Button variant="default" size="compact-xs" title={entry.folder} onClick={() => onAnswer(entry.folder)}>
                {entry.name}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <ul className={styles.folders} aria-label={texts.open.folders}>
        {listing?.parent && (
          <li>
            <button type="button" className={rows.row} onClick={() => void visit(listing.parent ?? undefined)}>
              <IconArrowUp size={16} aria-hidden="true" />
              {texts.open.up}
            </button>
          </li>
        )}
        {listing?.folders.map((name) => (
          <li key={name}>
            <button type="button" className={rows.row} onClick={() => void visit(folderBelow(listing.folder, name))}>
              <IconFolder size={16} stroke={1.5} aria-hidden="true" />
              <span className={rows.name}>{name}</span>
            </button>
          </li>
        ))}
        {listing && listing.folders.length === 0 && <li className={styles.none}>{texts.open.none}</li>}
      </ul>
      <Group justify="flex-end" mt="md" gap="xs">
        <Button variant="default" onClick={() => onAnswer(null)}>
          {texts.cancel}
        </Button>
        <Button onClick={() => onAnswer(listing?.folder ?? null)} disabled={!listing || path.trim() !== listing.folder}>
          {texts.open.choose}
        </Button>
      </Group>
    </form>
  );
}

/** Joins a name from the host, which may also be a full path, to a folder. */
function folderBelow(folder: string, name: string): string {
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return name;
  const separator = folder.includes('\\') ? '\\' : '/';
  return folder.endsWith(separator) ? folder + name : folder + separator + name;
}
