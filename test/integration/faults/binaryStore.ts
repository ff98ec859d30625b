import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Container } from '@n8n/di';
import { BinaryDataConfig } from 'n8n-core';

const folderOf = (executionId: string) =>
	join(Container.get(BinaryDataConfig).localStoragePath, 'workflows/test-workflow/executions', executionId);

/** The sizes of the files that an execution has left in n8n's binary store, finished or not, in bytes. */
export async function storedSizes(executionId: string): Promise<number[]> {
	const names = await readdir(folderOf(executionId), { recursive: true }).catch(() => []);
	const found = await Promise.all(
		names.map(async (name) => await stat(join(folderOf(executionId), name)).catch(() => undefined)),
	);
	return found.flatMap((file) => (file?.isFile() ? file.size : []));
}

/** Deletes the files of an execution. */
export async function removeStored(executionId: string): Promise<void> {
	await rm(folderOf(executionId), { recursive: true, force: true });
}
