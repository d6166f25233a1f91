import { Badge, Modal, Table, Text } from '@mantine/core';
import { useStore } from 'zustand';
import { closeImportProblems, importProblemsStore } from '#renderer/document/saving/import-problems-store.ts';
import { texts } from './texts.ts';

/** Lists what an import could not carry over, with the lines of the imported file. */
export function ImportProblemsDialog() {
  const { shown } = useStore(importProblemsStore);
  if (!shown) return null;
  const { source, flow, problems } = shown;
  return (
    <Modal opened onClose={closeImportProblems} title={texts.workflow.problemsTitle(source)} size="xl">
      <Text size="sm" mb="sm">
        {flow === null ? texts.workflow.notImported : texts.workflow.importedAs(flow)}
      </Text>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.workflow.line}</Table.Th>
            <Table.Th>{texts.workflow.finding}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {problems
            .toSorted((one, other) => one.line - other.line)
            .map(({ code, severity, line, message, path }) => (
              <Table.Tr key={`${path} ${code} ${message}`}>
                <Table.Td style={{ verticalAlign: 'top' }}>{line}</Table.Td>
                <Table.Td>
                  {severity === 'error' && (
                    <Badge color="red" variant="light" mr="xs">
                      {texts.workflow.error}
                    </Badge>
                  )}
                  {message}
                </Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
