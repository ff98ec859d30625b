import { accessSync, constants } from 'node:fs';
import path from 'node:path';

import { Problem } from './problem';

/**
 * Returns the folder with all of these programs, from the PATH or from other folders.
 *
 * @param user what needs them
 * @throws Problem when there is none, with installation instructions
 */
export function folderWith(programs: string[], user: string, install: string, others: string[] = []): string {
	const folders = [...(process.env.PATH ?? '').split(path.delimiter), ...others];
	const found = folders.find((folder) => programs.every((name) => isProgram(path.join(folder, name))));
	if (found !== undefined) return found;
	throw new Problem(`${user} needs ${programs.join(' and ')}, which this machine does not have.`, install);
}

function isProgram(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
