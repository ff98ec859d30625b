import { runWorstCases } from './worstCases';

/** `npm run hostile`: every operation with every hostile answer. */
async function main(): Promise<void> {
	const broken = await runWorstCases(['/']);
	for (const what of broken) console.log(what);
	console.log(
		broken.length === 0 ? 'Every answer was refused or read.' : `${broken.length} broken promises.`,
	);
	process.exitCode = broken.length === 0 ? 0 : 1;
}

void main();
