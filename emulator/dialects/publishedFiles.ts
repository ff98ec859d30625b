import { createHash } from 'node:crypto';
import type { AnswerFile } from './dialect';

/** The path under which published files are served. */
export const publishedPath = '/__emulator/files/dialects';

const maxFiles = 200;
const files = new Map<string, AnswerFile>();

/** Keeps a file so that it can be fetched. Only the newest 200 files are kept. @returns its path */
export function publish(file: AnswerFile): string {
	const name = createHash('sha256').update(file.bytes).digest('hex').slice(0, 24);
	files.set(name, file);
	if (files.size > maxFiles) files.delete(files.keys().next().value as string);
	return `${publishedPath}/${name}`;
}

/** Returns the file with a name; undefined if there is none. */
export function publishedFile(name: string): AnswerFile | undefined {
	return files.get(name);
}
