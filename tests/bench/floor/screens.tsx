import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { createBrowserRouter, Link, Outlet } from 'react-router';
import './floor.css';

type Card = { last_four: string; balance: string; orders: string[] };

/** The least that the product's libraries can show: two screens with data of one call, and a button. */
export function createFloorRouter() {
  return createBrowserRouter([
    {
      path: '/',
      element: <Frame />,
      children: [
        { index: true, element: <TripCard /> },
        { path: 'orders', element: <Orders /> },
      ],
    },
  ]);
}

function Frame() {
  return (
    <>
      <header>Floor Ferries</header>
      <main>
        <Outlet />
      </main>
    </>
  );
}

function TripCard() {
  const { data } = useCard();
  const [rides, setRides] = useState(1);
  if (!data) return <p>Loading…</p>;
  return (
    <>
      <h1>Trip cards</h1>
      <section>
        <p>Card ending {data.last_four}</p>
        <p id="balance">{data.balance}</p>
        <p id="rides">{rides}</p>
        <button id="more" type="button" onClick={() => setRides(rides + 1)}>
          More
        </button>
        <Link to="/orders">My orders</Link>
      </section>
    </>
  );
}

function Orders() {
  const { data } = useCard();
  return (
    <>
      <h1>My orders</h1>
      <section>
        {data?.orders.map((order) => (
          <p key={order}>{order}</p>
        ))}
        <Link to="/">Trip cards</Link>
      </section>
    </>
  );
}

function useCard() {
  return useQuery({ queryKey: ['card'], queryFn: fetchCard });
}

async function fetchCard(): Promise<Card> {
  const response = await fetch('/api/trip_cards/1');
  if (!response.ok) throw new Error(String(response.status));
  return response.json();
}
