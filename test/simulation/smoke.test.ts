import { drawWorld } from './draw';
import { Emulation } from './emulation';
import { simulate } from './simulate';
import { inWords } from './world';

it('runs', async () => {
	const emulation = new Emulation();
	const at = Date.now();
	for (let seed = 1; seed <= 30; seed++) {
		const world = drawWorld(seed);
		const t = Date.now();
		const { tries, gateway } = await simulate(world, emulation);
		console.log(inWords(world), '\n', tries.map(({ ending, error, output, left, tookMs, interference }) => [ending, interference, error?.message, output?.length, JSON.stringify(left), Math.round(tookMs)].join(' | ')).join('\n'), '\n', gateway.exchanges.length, Date.now() - t, 'ms', gateway.broken);
	}
	console.log(Date.now() - at);
	await emulation.close();
});
