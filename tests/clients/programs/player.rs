//! Plays a round with the client that openapi-generator makes for Rust: URL RULESET PLAYERS.
use openapi::apis::{actions_api, configuration::Configuration, events_api, players_api, seats_api, tables_api};
use openapi::models::{registration::Kind, *};
use serde_json::json;
use std::error::Error;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let told: Vec<String> = std::env::args().collect();
    let players: i32 = told[3].parse()?;
    let mut me = Configuration { base_path: told[1].clone(), ..Default::default() };
    let lin = Registration { kind: Some(Kind::Bot), ..Registration::new("Lin".into()) };
    me.bearer_access_token = Some(players_api::register(&me, lin, None).await?.token);

    let setup = TableSetup {
        options: Some([("deal_pace".into(), json!("instant"))].into()),
        ai_pace_ms: Some(0),
        ..TableSetup::new(serde_json::from_value(json!(told[2]))?, players)
    };
    let table = tables_api::create_table(&me, setup, None).await?.id;
    seats_api::take_seat(&me, &table, None, Some(Sitting { seat: Some(0), ..Default::default() })).await?;
    for seat in 1..players {
        seats_api::seat_ai(&me, &table, seat, None, Some(AiSeat::new())).await?;
    }
    seats_api::ready(&me, &table, None, Some(ReadyState::new())).await?;

    let (mut after, mut actions, mut tricks) = (0, 0, 0);
    loop {
        let page = events_api::list_events(&me, &table, Some(after), Some(20), None, None, None, None).await?;
        after = page.next_after;
        for event in page.events {
            match event {
                Event::TrickWon(won) => tricks = won.data.number,
                Event::RoundScored(scored) => {
                    println!("{actions} actions, {tricks} tricks, {} points", scored.data.points.unwrap_or_default());
                    return Ok(());
                }
                Event::OtherEvent(_) => panic!("an event that the document does not know"),
                _ => {}
            }
        }
        let view = tables_api::get_table(&me, &table, None, None).await?;
        if view.version <= after {
            if let Some(open) = view.decision {
                actions += act(&me, &table, *open).await?;
            }
        }
    }
}

/// Answers a decision by its hints, which have a type for each kind. Returns the number of actions sent.
async fn act(me: &Configuration, table: &str, open: OpenDecision) -> Result<u32, Box<dyn Error>> {
    match open {
        OpenDecision::Play(open) => {
            let Some(hints) = open.hints else { return Ok(0) };
            actions_api::play(me, table, PlayAction::new(open.id, hints.example), None).await?;
        }
        OpenDecision::Discard(open) => {
            let Some(hints) = open.hints else { return Ok(0) };
            actions_api::discard(me, table, DiscardAction::new(open.id, hints.example), None).await?;
        }
        OpenDecision::Call(open) => {
            let Some(hints) = open.hints else { return Ok(0) };
            let called = |card: CalledCard| CardCall { card: card.card, ordinal: card.ordinal, other: card.other };
            let calls = hints.example.into_iter().map(called).collect();
            actions_api::call_friends(me, table, CallAction::new(open.id, calls), None).await?;
        }
        OpenDecision::Declare(open) => {
            let Some(hints) = open.hints else { return Ok(0) };
            match hints.possible.into_iter().next() {
                Some(cards) => actions_api::declare(me, table, DeclareAction::new(open.id, cards), None).await?,
                None => actions_api::pass_decision(me, table, PassAction::new(open.id), None).await?,
            };
        }
        OpenDecision::Defend(open) if open.hints.is_some() => {
            actions_api::pass_decision(me, table, PassAction::new(open.id), None).await?;
        }
        _ => return Ok(0),
    }
    Ok(1)
}
