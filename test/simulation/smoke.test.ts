import { drawWorld } from './draw';
import { Emulation } from './emulation';
import { brokenIn } from './invariants';
import { Reference } from './reference';
import { simulate } from './simulate';
import { inWords } from './world';

it('runs', async () => {
	const emulation = new Emulation();
	const reference = new Reference(emulation);
	const at = Date.now();
	const kinds = new Map<string, number[]>();
	const [from, to] = [Number(process.env.FROM ?? 1), Number(process.env.TO ?? 300)];
	for (let seed = from; seed <= to; seed++) {
		const world = drawWorld(seed);
		const history = await simulate(world, emulation);
		const { tries, gateway } = history;
		const broken = await brokenIn(history, reference);
		for (const b of new Set(broken.map((x) => x.replace(/\d+/g, '#').slice(0, 150)))) kinds.set(b, [...(kinds.get(b) ?? []), seed]);
		if (process.env.SHOW && broken.length) {
			console.log(inWords(world), '\n' + broken.join('\n') + '\n', tries.map(({ ending, error, output, left, tookMs, interference, hints, log, isFinal }) => [ending, isFinal, interference, error?.message, output?.length, JSON.stringify(left), Math.round(tookMs), hints, log].join(' | ')).join('\n'));
			if (process.env.SHOW === '2') console.log(tries.map((t) => JSON.stringify(t.saved).slice(0, 3000)).join('\n')); if (process.env.SHOW === '2') console.log(gateway.exchanges.map((e) => [e.number + 1, e.execution, e.tryNumber, e.stage, e.rows, e.method, e.url, e.idempotencyKey, e.fault && JSON.stringify(e.fault), Math.round(e.at), e.isPaid, e.standing, e.status, e.isComplete].join(' ')).join('\n'));
		}
	}
	console.log([...kinds].sort((a, b) => b[1].length - a[1].length).map(([k, s]) => `${s.length} ${k} [${s.slice(0, 6)}]`).join('\n'));
	console.log((to - from + 1) / (Date.now() - at) * 1000, 'worlds a second');
	await emulation.close();
});
