import { type Emulator, type EmulatorOptions, startEmulator } from '../../../emulator';

/**
 * An emulator that also checks what the interface does not document, so that a field that a node misspells does not pass
 * unnoticed.
 */
export async function startStrictEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
	const emulator = await startEmulator(options);
	emulator.behaviour.checksUndocumented = true;
	return emulator;
}
