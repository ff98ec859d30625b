import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** Adds the extension of programs on this system. */
export function programName(name: string): string {
	return process.platform === 'win32' ? `${name}.exe` : name;
}

/** The first folder of a search path that has all of these programs, if there is one. */
export function folderWith(programs: string[], folders: string[]): string | undefined {
	return folders.find((folder) => programs.every((name) => isProgram(path.join(folder, programName(name)))));
}

/** Whether this file exists and can be executed. */
export function isProgram(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
