import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Passed } from '../../passed';
import type { Unit } from '../../reliability/part';
import { runUnits, type UnitOutcome } from '../../reliability/workers';

/** A process whose units end when the test says so. */
class FakeProcess extends EventEmitter {
	readonly units: string[] = [];
	isConnected = true;

	send(unit: string): void {
		this.units.push(unit);
	}

	disconnect(): void {
		this.isConnected = false;
		queueMicrotask(() => this.emit('exit', 0, null));
	}

	finish(unit: string): void {
		this.units.splice(this.units.indexOf(unit), 1);
		this.emit('message', { unit, broken: [] });
	}
}

function start(units: Unit[], processes: number) {
	const started: FakeProcess[] = [];
	const outcomes: UnitOutcome[] = [];
	const running = runUnits(
		units,
		processes,
		(outcome) => outcomes.push(outcome),
		() => {
			started.push(new FakeProcess());
			return started.at(-1) as unknown as ChildProcess;
		},
	);
	return { started, outcomes, running };
}

const unit = (name: string, isAlone = false): Unit => ({ name, cells: 1, isAlone });
const turn = async () => await new Promise((resolve) => setImmediate(resolve));

describe('Units in several processes', () => {
	it('run three in a process, and the next one as soon as one has ended', async () => {
		const { started, outcomes, running } = start(
			['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => unit(name)),
			2,
		);
		expect(started.map(({ units }) => units)).toEqual([
			['a', 'b', 'c'],
			['d', 'e', 'f'],
		]);
		started[1].finish('e');
		expect(started[1].units).toEqual(['d', 'f', 'g']);
		for (const each of started) for (const name of [...each.units]) each.finish(name);
		await running;
		expect(outcomes.map((outcome) => outcome.unit).sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
		expect(started.every(({ isConnected }) => !isConnected)).toBe(true);
	});

	it('run alone in their process if they have to', async () => {
		const { started, running } = start([unit('a', true), unit('b'), unit('c'), unit('d', true)], 1);
		const [only] = started;
		expect(only.units).toEqual(['a']);
		only.finish('a');
		expect(only.units).toEqual(['b', 'c']);
		only.finish('b');
		expect(only.units).toEqual(['c']);
		only.finish('c');
		expect(only.units).toEqual(['d']);
		only.finish('d');
		await running;
	});

	it('are broken if their process ends, and another process runs the rest', async () => {
		const { started, outcomes, running } = start([unit('a', true), unit('b', true)], 1);
		started[0].emit('exit', null, 'SIGKILL');
		await turn();
		expect(outcomes).toEqual([{ unit: 'a', broken: ['a: the process ended (SIGKILL)'] }]);
		started[1].finish('b');
		await running;
		expect(outcomes.at(-1)).toEqual({ unit: 'b', broken: [] });
	});
});

describe('What has passed', () => {
	const folder = () => mkdtempSync(join(tmpdir(), 'passed-'));

	it('is known for the same code only', () => {
		const path = folder();
		new Passed(path, 'old code').add('faults Chat (streamed)');
		expect(new Passed(path, 'old code').has('faults Chat (streamed)')).toBe(true);
		expect(new Passed(path, 'new code').has('faults Chat (streamed)')).toBe(false);
		expect(new Passed(path, 'old code').has('memory Chat (streamed)')).toBe(false);
	});

	it('is unknown if its file was not written to its end, and after all was forgotten', () => {
		const path = folder();
		const passed = new Passed(path, 'code');
		passed.add('faults Chat');
		const [file] = readdirSync(path);
		writeFileSync(join(path, file), 'co');
		expect(passed.has('faults Chat')).toBe(false);
		passed.add('faults Chat');
		passed.clear();
		expect(passed.has('faults Chat')).toBe(false);
	});
});
