import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Camera, type CameraState, openCamera } from '#web/staff/gate/scanner/camera.ts';

/** A camera’s picture, which the test ends or takes away as the system does. */
class FakeTrack extends EventTarget {
  readyState = 'live';
  readonly constraints: unknown[] = [];
  readonly deviceId: string;
  readonly hasTorch: boolean;
  isTorchBroken = false;
  constructor(deviceId: string, hasTorch: boolean) {
    super();
    this.deviceId = deviceId;
    this.hasTorch = hasTorch;
  }
  stop(): void {
    this.readyState = 'ended';
  }
  getSettings() {
    return { deviceId: this.deviceId };
  }
  getCapabilities() {
    return this.hasTorch ? { torch: true } : {};
  }
  async applyConstraints(constraints: unknown): Promise<void> {
    if (this.isTorchBroken) throw new DOMException('It is hot.', 'NotReadableError');
    this.constraints.push(constraints);
  }
}

type Asked = { video: { facingMode?: string; deviceId?: { exact: string } } };

let tracks: FakeTrack[];
let asked: Asked[];
let state: CameraState;
let camera: Camera | null;
let problem: DOMException | null;
let hasReader: boolean;
let isHidden: boolean;

beforeEach(() => {
  [tracks, asked, camera, problem, hasReader, isHidden] = [[], [], null, null, true, false];
  const mediaDevices = {
    async getUserMedia(constraints: Asked) {
      if (problem) throw problem;
      asked.push(constraints);
      const deviceId = constraints.video.deviceId?.exact ?? 'back';
      const track = new FakeTrack(deviceId, deviceId === 'back');
      tracks.push(track);
      return { getTracks: () => [track], getVideoTracks: () => [track] };
    },
    enumerateDevices: async () => [
      { kind: 'videoinput', deviceId: 'back', label: 'Back camera' },
      { kind: 'audioinput', deviceId: 'microphone', label: '' },
      { kind: 'videoinput', deviceId: 'front', label: 'Front camera' },
    ],
  };
  vi.stubGlobal('navigator', { mediaDevices });
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => (isHidden ? 'hidden' : 'visible'));
});
afterEach(() => {
  camera?.stop();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const last = () => tracks.at(-1) ?? new FakeTrack('none', false);
const expectStatus = (status: CameraState['status']) => vi.waitFor(() => expect(state.status).toBe(status));

function start(): void {
  const video = { play: async () => undefined, srcObject: null, videoWidth: 0, videoHeight: 0 };
  camera = openCamera({
    video: video as unknown as HTMLVideoElement,
    cameraId: null,
    onPicture: () => undefined,
    onState: (next) => {
      state = next;
    },
    loadReader: async () => {
      if (!hasReader) throw new TypeError('Failed to fetch');
      return { prepareReader: async () => undefined, decode: async () => null };
    },
  });
}

function setHidden(hidden: boolean): void {
  isHidden = hidden;
  document.dispatchEvent(new Event('visibilitychange'));
}

describe('the camera of a gate', () => {
  test('starts with the one that looks away from the person, and lists the others', async () => {
    start();
    await expectStatus('running');
    expect(asked[0]?.video.facingMode).toBe('environment');
    expect(state).toMatchObject({ cameraId: 'back', hasTorch: true, isTorchOn: false });
    expect(state.cameras.map(({ id }) => id)).toEqual(['back', 'front']);
  });

  test('changes to the chosen camera, which may have no light', async () => {
    start();
    await expectStatus('running');
    camera?.choose('front');
    await vi.waitFor(() => expect(state).toMatchObject({ status: 'running', cameraId: 'front' }));
    expect(asked[1]?.video.deviceId).toEqual({ exact: 'front' });
    expect(state.hasTorch).toBe(false);
    expect(tracks[0]?.readyState).toBe('ended');
  });

  test('turns its light on and off, and leaves it off where the phone refuses', async () => {
    start();
    await expectStatus('running');
    await camera?.setTorch(true);
    expect(state.isTorchOn).toBe(true);
    expect(last().constraints).toEqual([{ advanced: [{ torch: true }] }]);
    await camera?.setTorch(false);
    expect(state.isTorchOn).toBe(false);
    last().isTorchBroken = true;
    await camera?.setTorch(true);
    expect(state.isTorchOn).toBe(false);
  });

  test('is given back while the page is hidden, and starts again when the phone wakes up', async () => {
    start();
    await expectStatus('running');
    setHidden(true);
    expect(state.status).toBe('paused');
    expect(tracks[0]?.readyState).toBe('ended');
    setHidden(false);
    await expectStatus('running');
    expect(tracks).toHaveLength(2);
  });

  test('starts again if the system ends it while the page is visible', async () => {
    start();
    await expectStatus('running');
    tracks[0]?.dispatchEvent(new Event('ended'));
    await vi.waitFor(() => expect(tracks).toHaveLength(2));
    await expectStatus('running');
  });

  test('waits while the system takes its picture away, as for a call', async () => {
    start();
    await expectStatus('running');
    tracks[0]?.dispatchEvent(new Event('mute'));
    expect(state.status).toBe('paused');
    tracks[0]?.dispatchEvent(new Event('unmute'));
    expect(state.status).toBe('running');
    expect(tracks).toHaveLength(1);
  });

  test('starts again after a sleep in which the system took its picture away', async () => {
    start();
    await expectStatus('running');
    tracks[0]?.dispatchEvent(new Event('mute'));
    setHidden(true);
    setHidden(false);
    await expectStatus('running');
    expect(tracks).toHaveLength(2);
    tracks[0]?.dispatchEvent(new Event('unmute'));
    tracks[0]?.dispatchEvent(new Event('ended'));
    expect(tracks).toHaveLength(2);
  });

  test.each([
    ['NotAllowedError', 'denied'],
    ['NotReadableError', 'busy'],
    ['NotFoundError', 'missing'],
  ] as const)('says why there is no picture (%s), and tries again when asked', async (name, status) => {
    problem = new DOMException('No picture.', name);
    start();
    await expectStatus(status);
    problem = null;
    camera?.restart();
    await expectStatus('running');
  });

  test('says that the reader of codes could not be loaded', async () => {
    hasReader = false;
    start();
    await expectStatus('reader_missing');
  });
});
