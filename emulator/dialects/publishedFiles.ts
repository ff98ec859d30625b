import { createHash } from 'node:crypto';
import type { AnswerFile } from './dialect';

/** Where published files are served. */
export const publishedPath = '/__emulator/files/dialects';

const maxFiles = 200;
const files = new Map<string, AnswerFile>();

/** Keeps a file, one of the newest 200, so that it can be fetched. @returns its path */
export function publish(file: AnswerFile): string {
	const name = createHash('sha256').update(file.bytes).digest('hex').slice(0, 24);
	files.set(name, file);
	if (files.size > maxFiles) files.delete(files.keys().next().value as string);
	return `${publishedPath}/${name}`;
}

/** The file of that name, or undefined. */
export function publishedFile(name: string): AnswerFile | undefined {
	return files.get(name);
}
