import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Container } from '@n8n/di';
import { BinaryDataConfig } from 'n8n-core';

const folderOf = (executionId: string) =>
	join(Container.get(BinaryDataConfig).localStoragePath, 'workflows/test-workflow/executions', executionId);

/** Deletes the files of an execution. */
export async function removeStored(executionId: string): Promise<void> {
	await rm(folderOf(executionId), { recursive: true, force: true });
}
