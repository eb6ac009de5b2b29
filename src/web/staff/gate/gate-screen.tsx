import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { useShowsConnection } from '#web/platform/connection/readable-offline.ts';
import { SignInScreen } from '../session/sign-in-screen.tsx';
import { readSignedInId, setStaffSession, useStaffSession } from '../session/staff-session.ts';
import { type GateDevice, openGateDevice } from './device/gate-device.ts';
import { type GateSetup, readSetup, saveSetup } from './device/gate-setup.ts';
import { OpenGate } from './open-gate.tsx';
import { SetupForm } from './setup-form.tsx';

/** Where staff let people aboard. Works without a connection once the list is on the device. */
export function GateScreen() {
  useShowsConnection();
  const session = useStaffSession();
  const [setup, setSetup] = useState(readSetup);
  const [isChanging, setIsChanging] = useState(setup === null);
  // Without an answer the gate opens as it is on the device: the list is deleted when the session ends.
  if (session.data === null) return <SignInScreen />;
  if (setup === null || isChanging) {
    return (
      <SetupForm
        setup={setup}
        onDone={(next) => {
          saveSetup(next);
          setSetup(next);
          setIsChanging(false);
        }}
      />
    );
  }
  const role = session.data?.staff.role ?? null;
  return (
    <Gate
      key={`${setup.port} ${setup.name}`}
      setup={setup}
      role={role}
      onChangeSetup={() => setIsChanging(true)}
    />
  );
}

type GateProps = { setup: GateSetup; role: StaffRole | null; onChangeSetup: () => void };

function Gate({ setup, role, onChangeSetup }: GateProps) {
  const client = useQueryClient();
  const [device, setDevice] = useState<GateDevice | null>(null);
  useEffect(() => {
    const opened = openGateDevice({
      ...setup,
      getStaffId: readSignedInId,
      onSignedOut: () => setStaffSession(client, null),
    });
    setDevice(opened);
    return () => opened.stop();
  }, [setup, client]);
  return device && <OpenGate device={device} name={setup.name} role={role} onChangeSetup={onChangeSetup} />;
}
