import { parts } from './parts';

/** A process that runs units of one part: their names come as messages, and their results go back. */

const part = parts.find(({ name }) => name === process.argv[2]);
if (!part) throw new Error(`There is no part "${process.argv[2]}".`);
part.prepare?.();

process.on('message', (unit: string) => {
	part.run(unit).then(
		(broken) => process.send!({ unit, broken }),
		(error: unknown) =>
			process.send!({ unit, broken: [`${unit}: ${error instanceof Error ? error.stack : String(error)}`] }),
	);
});
process.on('disconnect', () => process.exit());
