import { runFaster } from '../integration/faults/fastClock';
import { ECHOES, startEchoGateway } from '../integration/secrets/echoGateway';
import { echoedOperations, keyIn, nameOf } from '../integration/secrets/everyPlace';
import type { Part } from './part';

/** Every operation with a gateway that repeats the key, in every way. */
export const secrets: Part = {
	name: 'secrets',
	title: 'A gateway that repeats the key',
	units: () =>
		// All gateways have the same key, which must not be seen at another one.
		echoedOperations.map((operation) => ({ name: nameOf(operation), cells: ECHOES.length, isAlone: true })),
	prepare: () => void runFaster(40),

	async run(unit) {
		const operation = echoedOperations.find((one) => nameOf(one) === unit)!;
		const gateway = await startEchoGateway();
		const found: string[] = [];
		for (const echo of ECHOES) {
			found.push(...(await keyIn(gateway, operation, echo)).map((what) => `${unit} ${echo}: ${what}`));
		}
		await gateway.close();
		return found;
	},
};
