import { join } from 'node:path';
import { runJest } from './runJest';

/** `npm test`: passes its arguments to Jest. (`npm run lint` checks the types.) */
async function main(): Promise<void> {
	process.exitCode = await runJest(join(__dirname, '../jest.config.js'), process.argv.slice(2));
}

void main();
