import { titleOf } from '../faults/operationCase';
import { operationCases } from '../faults/operations';
import { runWorstCases } from './worstCases';

/** `npm run hostile`: every operation that reads answers with code of its own, with every hostile answer. */
async function main(): Promise<void> {
	for (const operation of operationCases.filter(({ sharesReader = false }) => !sharesReader)) {
		const title = titleOf(operation);
		const broken = await runWorstCases([`${title}/`]);
		console.log(`${title}: ${broken.length} broken promises`);
		for (const what of broken) console.log(`  ${what}`);
		if (broken.length > 0) process.exitCode = 1;
	}
}

void main();
